import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Numbers the events of one session e1, e2 … whatever their stream, as many hand-made servers do. */
export class CounterEventStore implements EventStore {
  readonly #events: { readonly streamId: string; readonly message: JSONRPCMessage }[] = [];

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    this.#events.push({ streamId, message });
    return `e${this.#events.length}`;
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#events[indexOf(eventId)]?.streamId;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = indexOf(lastEventId);
    const streamId = this.#events[last]?.streamId ?? '';
    for (const [index, event] of this.#events.entries()) {
      // A priming event is stored as an empty object and is no message.
      if (index <= last || event.streamId !== streamId || !('jsonrpc' in event.message)) continue;
      await send(`e${index + 1}`, event.message);
    }
    return streamId;
  }
}

function indexOf(eventId: string): number {
  return Number(/^e(\d+)$/.exec(eventId)?.[1] ?? 0) - 1;
}
