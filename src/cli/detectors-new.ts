import { mkdir, writeFile } from 'node:fs/promises';
import { PostmortemError } from '../error.js';
import { EXIT } from './exit-code.js';
import { writeStdout } from './out.js';

/** `detectors new ID`: a detector that runs, to be changed. @returns the exit code. @throws PostmortemError `usage`, `output-failed` */
export async function newDetector(id: string, folder: string): Promise<number> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) {
    throw new PostmortemError(
      'usage',
      `"${id}" is no detector id`,
      'Use lower-case words joined by hyphens: slow-initialize.',
    );
  }
  const base = `${folder}/${id}`;
  const samples = `${folder}/samples/${id}`;
  try {
    await mkdir(`${samples}/positive-example`, { recursive: true });
    await mkdir(`${samples}/negative-example`, { recursive: true });
    await writeFile(`${base}.sql`, detectorSql(id), { flag: 'wx' });
    await writeFile(`${base}.md`, detectorPage(id), { flag: 'wx' });
    await writeFile(
      `${samples}/positive-example/expect.json`,
      label({ expect: [{ detector: id, severity: 'medium' }] }),
    );
    await writeFile(`${samples}/negative-example/expect.json`, label({ expect: [], forbid: [id] }));
  } catch (cause) {
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    const why = isThere ? 'is there already' : 'cannot be written';
    throw new PostmortemError(
      'output-failed',
      `${base}.sql: ${why}`,
      'Choose another id or another --queries folder.',
      {
        cause,
      },
    );
  }
  await writeStdout(
    [
      `${base}.sql`,
      `${base}.md`,
      `${samples}/positive-example/   lay a capture here in which it must answer`,
      `${samples}/negative-example/   and here one that looks alike and must stay silent`,
      '',
      `mcp-postmortem detectors lint --queries ${folder}`,
      `mcp-postmortem detectors test ${id} --queries ${folder}`,
      `mcp-postmortem analyze PATH --queries ${folder}`,
      '',
    ].join('\n'),
  );
  return EXIT.judged;
}

function label(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

function detectorSql(id: string): string {
  return `-- ---
-- id: ${id}
-- title: A request of a session took very long
-- explanation: "A request of session {session} took {seconds} s."
-- severity: medium
-- needs: [status]
-- params: { slow_s: { type: integer, default: 30, min: 1, max: 86400 } }
-- key: [session, request]
-- remedy: Say what to do about it.
-- false-positives: [A listening stream, which is meant to stay open]
-- references: []
-- ---
select
  request_session as session, started_ns as at_ns, ended_ns as until_ns,
  'medium' as severity, 'definite' as confidence, cast(request_id as varchar) as exchanges,
  cast(request_id as varchar) as request, (ended_ns - started_ns) / 1000000000 as seconds
from request
where http_method = 'POST' and ended_ns - started_ns > $slow_s * 1000000000
`;
}

function detectorPage(id: string): string {
  return `# ${id}

What it looks for, why it matters, and when it is wrong.
`;
}
