import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';

/** What the application does when the server says 404. The SDK by itself does nothing: it keeps the id. */
export type Recovery =
  | 'none'
  /** Starts a new session and leaves it to the caller what to repeat: what the specification asks for. */
  | 'start-again'
  /** Starts a new session behind the caller's back and sends the call again. */
  | 'repeat-silently'
  /** As `repeat-silently`, and asks in the new session for what came after the last event of the old one. */
  | 'carry-cursor';

export interface LabClientSettings {
  readonly url: string;
  readonly name: string;
  readonly recovery: Recovery;
  readonly timeoutMs: number;
}

export interface CallArguments {
  readonly title: string;
  readonly steps: number;
  readonly stepMs: number;
}

/** What the caller learnt: an answer, a refusal because the session is gone, or nothing. */
export type CallEnd = 'answered' | 'gone' | 'unknown';

/** The SDK's client with an application around it. Runs in Node and in a browser alike. */
export class LabClient {
  readonly #settings: LabClientSettings;
  #client = new Client({ name: 'lab', version: '1' });
  #transport: StreamableHTTPClientTransport | null = null;
  #cursor: string | null = null;

  constructor(settings: LabClientSettings) {
    this.#settings = settings;
  }

  async connect(): Promise<void> {
    this.#client = new Client({ name: this.#settings.name, version: '1.0' });
    this.#transport = new StreamableHTTPClientTransport(new URL(this.#settings.url), {
      requestInit: { headers: { authorization: `Bearer ${this.#settings.name}` } },
      reconnectionOptions: {
        initialReconnectionDelay: 200,
        maxReconnectionDelay: 400,
        reconnectionDelayGrowFactor: 1.5,
        maxRetries: 2,
      },
    });
    // What the SDK reports here (streams that ended, failed reconnects) is part of the scenario.
    this.#client.onerror = () => undefined;
    await this.#client.connect(this.#transport as Parameters<Client['connect']>[0]);
  }

  async listTools(): Promise<void> {
    await this.#client.listTools();
  }

  async ping(): Promise<CallEnd> {
    return this.#outcome(() => this.#client.ping({ timeout: this.#settings.timeoutMs }));
  }

  /** One call of a tool, with the recovery of this client. */
  async call(tool: string, call: CallArguments): Promise<CallEnd> {
    const end = await this.#send(tool, call, null);
    if (end !== 'gone' || this.#settings.recovery === 'none') return end;
    await this.startAgain();
    if (this.#settings.recovery === 'start-again') return end;
    return this.#send(tool, call, this.#settings.recovery === 'carry-cursor' ? this.#cursor : null);
  }

  /** A new session in place of the one that is gone. */
  async startAgain(): Promise<void> {
    await this.#client.close();
    await this.connect();
  }

  async close(saysGoodbye: boolean): Promise<void> {
    try {
      if (saysGoodbye) await this.#transport?.terminateSession();
    } finally {
      await this.#client.close();
    }
  }

  async #send(tool: string, call: CallArguments, resumptionToken: string | null): Promise<CallEnd> {
    return this.#outcome(() =>
      this.#client.callTool({ name: tool, arguments: { ...call } }, CallToolResultSchema, {
        timeout: this.#settings.timeoutMs,
        onprogress: () => undefined,
        onresumptiontoken: (token) => {
          this.#cursor = token;
        },
        ...(resumptionToken === null ? {} : { resumptionToken }),
      }),
    );
  }

  async #outcome(request: () => Promise<unknown>): Promise<CallEnd> {
    try {
      await request();
      return 'answered';
    } catch (error) {
      return error instanceof StreamableHTTPError && error.code === 404 ? 'gone' : 'unknown';
    } finally {
    }
  }
}
