import { booleanAt, isObject, type JsonObject, objectAt, ownAt, stringAt } from './json-object.js';

/** A tool as `tools/list` announces it. */
export interface AnnouncedTool {
  readonly tool: string;
  readonly readOnly: boolean | null;
  readonly idempotent: boolean | null;
  readonly destructive: boolean | null;
  readonly outputKeys: string | null;
  readonly requiredKeys: string | null;
}

/** Tools in the result of a `tools/list`; empty for any other message. */
export function announcedTools(message: unknown): AnnouncedTool[] {
  if (!isObject(message)) return [];
  const tools = ownAt(objectAt(message, 'result'), 'tools');
  if (!Array.isArray(tools)) return [];
  return tools.filter(isObject).flatMap((tool) => {
    const name = stringAt(tool, 'name');
    return name === null ? [] : [announced(name, tool)];
  });
}

function announced(name: string, tool: JsonObject): AnnouncedTool {
  const annotations = objectAt(tool, 'annotations');
  const schema = objectAt(tool, 'outputSchema');
  const properties = objectAt(schema, 'properties');
  const required = ownAt(schema, 'required');
  return {
    tool: name,
    readOnly: booleanAt(annotations, 'readOnlyHint'),
    idempotent: booleanAt(annotations, 'idempotentHint'),
    destructive: booleanAt(annotations, 'destructiveHint'),
    outputKeys: properties === null ? null : Object.keys(properties).sort().join(','),
    requiredKeys: Array.isArray(required)
      ? required
          .filter((key) => typeof key === 'string')
          .sort()
          .join(',')
      : null,
  };
}

/** `serverInfo` of a result, `clientInfo` of an `initialize`, or their successors in `_meta`, as `name version`. */
export function peerInfo(message: unknown): { serverInfo: string | null; clientInfo: string | null } {
  const object = isObject(message) ? message : null;
  const result = objectAt(object, 'result');
  const params = objectAt(object, 'params');
  const meta = objectAt(params, '_meta');
  return {
    serverInfo: nameAndVersion(
      objectAt(result, 'serverInfo') ?? objectAt(objectAt(result, '_meta'), 'io.modelcontextprotocol/serverInfo'),
    ),
    clientInfo: nameAndVersion(objectAt(params, 'clientInfo') ?? objectAt(meta, 'io.modelcontextprotocol/clientInfo')),
  };
}

function nameAndVersion(info: JsonObject | null): string | null {
  const name = stringAt(info, 'name');
  if (name === null) return null;
  const version = stringAt(info, 'version');
  return version === null ? name : `${name} ${version}`;
}
