import { setTimeout as sleep } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

export interface ToolHost {
  /** Called at the moment of the effect. */
  ran(session: string, tool: string, call: string): void;
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

interface Kind {
  readonly tool: string;
  readonly annotations: ToolAnnotations;
  /** Ends the stream after its first progress and lets the client come back for the answer (SEP-1699). */
  readonly polls: boolean;
}

const KINDS: readonly Kind[] = [
  { tool: 'create_issue', annotations: { readOnlyHint: false, idempotentHint: false }, polls: false },
  { tool: 'delete_branch', annotations: { readOnlyHint: false, destructiveHint: true }, polls: false },
  { tool: 'set_label', annotations: { readOnlyHint: false, idempotentHint: true }, polls: false },
  { tool: 'search_docs', annotations: { readOnlyHint: true }, polls: false },
  { tool: 'export_report', annotations: { readOnlyHint: false, idempotentHint: false }, polls: true },
];

/** A server with tools of every kind. Each acts at once, tells its progress while it lasts, and then answers. */
export function makeServer(instance: string, host: ToolHost): McpServer {
  const server = new McpServer({ name: 'lab', version: instance }, { capabilities: { logging: {} } });
  for (const { tool, annotations, polls } of KINDS) {
    const inputSchema = { title: z.string(), steps: z.number().int(), stepMs: z.number().int() };
    server.registerTool(tool, { description: tool, inputSchema, annotations }, async (call, extra) => {
      host.ran(extra.sessionId ?? '', tool, call.title);
      for (let step = 1; step <= call.steps; step++) {
        await sleep(call.stepMs);
        await tellProgress(extra, step, call.steps);
        if (polls && step === 1) extra.closeSSEStream?.();
      }
      return { content: [{ type: 'text', text: `${tool} ${call.title} done` }] };
    });
  }
  return server;
}

async function tellProgress(extra: Extra, progress: number, total: number): Promise<void> {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return;
  await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total } });
}
