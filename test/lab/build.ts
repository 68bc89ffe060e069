import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

export interface Built {
  /** Entry of the server process. */
  readonly instance: string;
  /** Script of the page. */
  readonly client: string;
  remove(): Promise<void>;
}

const HERE = import.meta.dirname;

/** Bundles what runs outside of the test process; below `node_modules`, where packages are found from. */
export async function buildPrograms(): Promise<Built> {
  const folder = join(HERE, '..', '..', 'node_modules', '.cache', `lab-${process.pid}`);
  const common = { configFile: false, logLevel: 'error', publicDir: false } as const;
  await build({
    ...common,
    build: {
      ssr: join(HERE, 'instance', 'main.ts'),
      outDir: folder,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'instance.mjs' } },
    },
  });
  await build({
    ...common,
    build: {
      outDir: join(folder, 'page'),
      target: 'es2022',
      lib: { entry: join(HERE, 'client', 'in-browser.ts'), formats: ['es'], fileName: () => 'client.js' },
    },
  });
  return {
    instance: join(folder, 'instance.mjs'),
    client: join(folder, 'page', 'client.js'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
