import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { runCommand } from '../../src/cli/run.js';
import { checkedYaml } from '../../src/schedule/config-check.js';
import { CONFIG_SCHEMA } from '../../src/schedule/config-schema.js';

const sample = (name: string) => readFileSync(join('samples/deploy', name), 'utf8');
const OPTIONS = runCommand().options.map(({ long }) => long);

/** Options that a command line names must be those of `run`. */
function expectKnownOptions(words: readonly string[]): void {
  expect(words[0]).toBe('run');
  const given = words.filter((word) => word.startsWith('--'));
  expect(given.filter((word) => !OPTIONS.includes(word))).toEqual([]);
  expect(given).toContain('--config');
}

test('the systemd service runs the job and takes findings for no failure', () => {
  const unit = sample('systemd/mcp-postmortem.service');
  const command = /^ExecStart=\/\S+\/mcp-postmortem (.*)$/m.exec(unit)?.[1] ?? '';
  expectKnownOptions(command.split(' '));
  expect(unit).toContain('SuccessExitStatus=1');
  expect(unit).toContain('NoNewPrivileges=yes');
});

test.skipIf(spawnSync('systemd-analyze', ['--version']).error !== undefined)('systemd accepts both units', () => {
  for (const unit of ['mcp-postmortem.service', 'mcp-postmortem.timer']) {
    const { stderr } = spawnSync('systemd-analyze', ['verify', join('samples/deploy/systemd', unit)], {
      encoding: 'utf8',
    });
    expect(stderr.split('\n').filter((row) => row !== '' && !/not executable|No such file/.test(row))).toEqual([]);
  }
});

test('the CronJob runs one job at a time, without root and without a writable root', () => {
  const documents = parseAllDocuments(sample('kubernetes/cronjob.yaml')).map((document) => document.toJS());
  const cron = documents.find(({ kind }) => kind === 'CronJob');
  const pod = cron.spec.jobTemplate.spec.template.spec;
  const [container] = pod.containers;
  expectKnownOptions(container.args);
  expect(cron.spec.concurrencyPolicy).toBe('Forbid');
  expect(pod.securityContext.runAsNonRoot).toBe(true);
  expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
  const mounts = container.volumeMounts.map(({ name }: { name: string }) => name).sort();
  expect(pod.volumes.map(({ name }: { name: string }) => name).sort()).toEqual(mounts);
  const config = documents.find(({ kind }) => kind === 'ConfigMap').data['mcp-postmortem.yaml'];
  expect(checkedYaml('mcp-postmortem.yaml', config, CONFIG_SCHEMA)).toMatchObject({ state: '/state/job.duckdb' });
});

test('the workflow is one that GitHub can read, and names options that there are', () => {
  const workflow = parse(sample('github/mcp-postmortem.yml'));
  const steps: { run?: string; uses?: string }[] = workflow.jobs.analyze.steps;
  expect(steps.every(({ run, uses }) => (run === undefined) !== (uses === undefined))).toBe(true);
  expect(steps.some(({ run }) => run?.includes('mcp-postmortem analyze captures'))).toBe(true);
});

test('the image is built in two stages and runs without root', () => {
  const file = sample('docker/Dockerfile');
  expect(file.match(/^FROM /gm)).toHaveLength(2);
  expect(file).toMatch(/^USER 10001:10001$/m);
  const copied = [...file.matchAll(/^COPY --from=build \/build\/(\S+)/gm)].map((match) => match[1]);
  expect(copied.sort()).toEqual(['bin', 'dist', 'node_modules', 'package.json', 'queries']);
});

test('the crontab line is quiet unless something went wrong', () => {
  const row = sample('cron/mcp-postmortem.crontab')
    .split('\n')
    .find((text) => /^\S+ \S+ \S+ \S+ \S+ mcp-postmortem /.test(text));
  const words = (row ?? '').split(/\s+/).slice(6);
  expectKnownOptions(words);
  expect(words).toContain('--quiet');
});
