import { Command, CommanderError, type Option } from 'commander';
import { PostmortemError } from '../error.js';
import { analyzeCommand } from './analyze.js';
import { callsCommand } from './calls.js';
import { Console } from './console.js';
import { detectCommand } from './detect.js';
import { detectorsCommand } from './detectors.js';
import { doctorCommand } from './doctor.js';
import { exchangesCommand } from './exchanges.js';
import { EXIT } from './exit-code.js';
import { ingestCommand } from './ingest.js';
import { initCommand } from './init.js';
import { wasInterrupted, watchInterrupts } from './interruption.js';
import { pruneCommand } from './prune.js';
import { queryCommand } from './query.js';
import { reportCommand } from './report.js';
import { resumesCommand } from './resumes.js';
import { runCommand } from './run.js';
import { sessionsCommand } from './sessions.js';
import { timelineCommand } from './timeline.js';
import { packageVersion } from './version.js';

// Each command loads what it needs when it runs: `--version` waits for no database.
const COMMANDS: readonly (() => Command)[] = [
  analyzeCommand,
  ingestCommand,
  detectCommand,
  reportCommand,
  exchangesCommand,
  sessionsCommand,
  resumesCommand,
  callsCommand,
  timelineCommand,
  doctorCommand,
  queryCommand,
  detectorsCommand,
  runCommand,
  initCommand,
  pruneCommand,
];

function program(): Command {
  const root = new Command('mcp-postmortem')
    .description('Finds, after the fact, where an MCP client resumed the wrong history.')
    .version(packageVersion(), '-V, --version')
    .showHelpAfterError('(--help shows what is known)')
    .configureHelp({ optionDescription })
    .addHelpText('after', CLOSING)
    .exitOverride()
    .configureOutput({ outputError: (text) => new Console(false).note(text.trimEnd()) });
  for (const make of COMMANDS) root.addCommand(make());
  for (const command of [...root.commands, ...root.commands.flatMap(({ commands }) => commands)]) {
    command.copyInheritedSettings(root);
  }
  return root;
}

const CLOSING = `
Examples:
  mcp-postmortem analyze capture.har nginx-access.log traces/ --out report.html
  mcp-postmortem resumes capture.har
  mcp-postmortem doctor /var/log/nginx

Exit codes: 0 judged, nothing at or above --fail-on (high); 1 findings; 2 could not judge, or not all; 130 interrupted.`;

/** What can be given several times begins as an empty list: no default worth telling. */
function optionDescription(option: Option): string {
  const { description, argChoices, defaultValue } = option;
  const notes = [
    ...(argChoices === undefined ? [] : [argChoices.join(', ')]),
    ...(typeof defaultValue === 'string' ? [`default: ${defaultValue}`] : []),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

async function main(argv: readonly string[]): Promise<void> {
  watchInterrupts();
  try {
    await program().parseAsync(argv);
  } catch (error) {
    process.exitCode = failureCode(error);
  }
  if (wasInterrupted()) process.exitCode = EXIT.interrupted;
}

function failureCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.judged : EXIT.notJudged;
  if (error instanceof PostmortemError && error.code === 'interrupted') return EXIT.interrupted;
  new Console(false).error(error);
  return EXIT.notJudged;
}

process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
await main(process.argv);
