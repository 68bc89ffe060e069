import { existsSync } from 'node:fs';
import { PostmortemError } from '../error.js';
import { configSchema } from '../schedule/config-schema.js';
import { configTemplate } from '../schedule/config-template.js';
import { EXIT } from './exit-code.js';
import type { InitOptions } from './init.js';
import { writeAtomically, writeStdout } from './out.js';

/** `init`: the configuration with every key explained. @returns the exit code */
export async function init(file: string, options: InitOptions): Promise<number> {
  if (options.schema === true) {
    await writeStdout(`${JSON.stringify(configSchema(), null, 2)}\n`);
    return EXIT.judged;
  }
  if (file === '-') {
    await writeStdout(configTemplate());
    return EXIT.judged;
  }
  if (existsSync(file) && options.force !== true) {
    throw new PostmortemError('output-failed', `${file}: is there already`, 'Give another name, or --force.');
  }
  await writeAtomically(file, configTemplate());
  await writeStdout(`${file} written. Change what is under "inputs", then: mcp-postmortem run --config ${file}\n`);
  return EXIT.judged;
}
