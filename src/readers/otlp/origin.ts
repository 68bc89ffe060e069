import { CONSTANT_VERSION_SCOPES, GATEWAY_NAMES, INSTANCE_ATTRIBUTES } from './attributes.js';
import { textOf } from './lookup.js';
import { MCP_NAME } from './marks.js';
import type { Origin } from './span.js';

/** What resource and scope say of all their spans. */
export interface OriginFacts {
  /** `service.name`; null: none, or the SDK's stand-in for none. */
  readonly service: string | null;
  /** The instance that wrote the spans. */
  readonly instance: string | null;
  /** Service and scope, for people. */
  readonly emitter: string;
  readonly isGateway: boolean;
  readonly isMcpScope: boolean;
  readonly hasConstantVersion: boolean;
}

const cache = new WeakMap<Origin, OriginFacts>();

/** Facts of an origin, worked out once for all spans that share it. */
export function originFacts(origin: Origin): OriginFacts {
  const known = cache.get(origin);
  if (known !== undefined) return known;
  const { resource, scope } = origin;
  const name = textOf(resource, ['service.name']) ?? '';
  const author = scope === '' ? name : scope;
  const facts: OriginFacts = {
    service: name === '' || name.startsWith('unknown_service') ? null : name,
    instance: textOf(resource, INSTANCE_ATTRIBUTES),
    emitter: name === '' || scope === '' ? author : `${name} (${scope})`,
    isGateway: GATEWAY_NAMES.some((pattern) => pattern.test(author)),
    isMcpScope: MCP_NAME.test(scope),
    hasConstantVersion: CONSTANT_VERSION_SCOPES.some((pattern) => pattern.test(scope)),
  };
  cache.set(origin, facts);
  return facts;
}
