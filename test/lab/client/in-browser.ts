import { LabClient, type LabClientSettings } from './lab-client.js';

/** The commands that a page takes; each is one method of the client. */
export interface PageClient {
  start(settings: LabClientSettings): void;
  client(): LabClient;
}

let current: LabClient | null = null;
const page: PageClient = {
  start(settings) {
    current = new LabClient(settings);
  },
  client() {
    if (current === null) throw new Error('start the client first');
    return current;
  },
};
Object.assign(globalThis, { labPage: page });
