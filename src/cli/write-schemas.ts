import { resultSchema } from '../report/result-schema.js';
import { configSchema } from '../schedule/config-schema.js';
import { PACKAGE_ROOT } from '../store/package-files.js';
import { factSchemas } from './fact-schemas.js';
import { writeAtomically } from './out.js';

// The last step of the build: JSON Schemas that the package publishes.
await writeAtomically(`${PACKAGE_ROOT}dist/result.schema.json`, schemaText(resultSchema(await factSchemas())));
await writeAtomically(`${PACKAGE_ROOT}dist/config.schema.json`, schemaText(configSchema()));

function schemaText(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
