import { readFileSync } from 'node:fs';

// The least that reading a HAR can cost: the whole file as one string, parsed by the engine.
const { log } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
console.log(log.entries.length);
