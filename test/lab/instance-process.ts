import { type ChildProcess, fork } from 'node:child_process';
import { endWithUs, exited } from './child.js';
import { type InstanceCommand, type InstanceSettings, SETTINGS_VARIABLE } from './instance/settings.js';

/** One server instance as a process of its own. */
export class InstanceProcess {
  readonly name: string;
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor({ name, port }: InstanceSettings, child: ChildProcess) {
    this.name = name;
    this.port = port;
    this.#child = child;
  }

  static async start(program: string, client: string, settings: InstanceSettings): Promise<InstanceProcess> {
    const child = fork(program, [], {
      env: { ...process.env, [SETTINGS_VARIABLE]: JSON.stringify(settings), LAB_CLIENT: client },
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    endWithUs(child);
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('exit', (code) => reject(new Error(`instance ${settings.name} did not start (${code})`)));
    });
    return new InstanceProcess(settings, child);
  }

  /** Says something on every listening stream. */
  announce(): void {
    this.#send('announce');
  }

  /** Taken out as a deploy does it: streams end cleanly, traces are written, the process goes. */
  async drain(): Promise<void> {
    this.#send('drain');
    await exited(this.#child, 3000);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await exited(this.#child, 1000);
  }

  #send(command: InstanceCommand): void {
    if (this.#child.connected) this.#child.send(command);
  }
}
