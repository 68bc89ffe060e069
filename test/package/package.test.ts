import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { describe, expect, test } from 'vitest';

interface Manifest {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { version?: string; integrity?: string; resolved?: string; link?: boolean; dev?: boolean }>
  >;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');

describe('what is installed', () => {
  test('is pinned by a checksum, every package of it', () => {
    expect(locked.length).toBeGreaterThan(50);
    expect(locked.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? '')).map(([path]) => path)).toEqual([]);
  });

  test('comes from the registry that the machine is set to, not from one named here', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });

  test('is the exact version that the manifest names', () => {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
  });
});

/** Where a statement names a module: `… from 'x';`, `import 'x';`, `import('x')`. */
const IMPORT = /(?:^(?:import|export)\b[^;']*? from |^import |\bimport\()'([^'.][^']*)'/gm;

test('the program imports all of its dependencies and nothing else', () => {
  const imported = new Set<string>();
  for (const path of readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))) {
    for (const [, name = ''] of readFileSync(`src/${path}`, 'utf8').matchAll(IMPORT)) {
      const [scope = '', rest = ''] = name.split('/');
      imported.add(name.startsWith('@') ? `${scope}/${rest}` : scope);
    }
  }
  const foreign = [...imported].filter((name) => !name.startsWith('node:')).sort();
  expect(foreign.filter((name) => builtinModules.includes(name))).toEqual([]);
  expect(foreign).toEqual(Object.keys(manifest.dependencies).sort());
});

test.skipIf(!existsSync('dist/cli/main.js'))('the package holds the program, its SQL and samples, and no tests', () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' }),
  ) as [{ files: { path: string; mode: number }[]; unpackedSize: number }];
  const paths = packed.files.map(({ path }) => path);
  for (const path of [
    'README.md',
    'LICENSE',
    'bin/mcp-postmortem.js',
    'dist/index.d.ts',
    'dist/cli/main.js',
    'queries/detectors/epoch-merge.sql',
    'queries/detectors/epoch-merge.md',
    'samples/rolling-deploy/capture.har',
  ]) {
    expect(paths).toContain(path);
  }
  expect(paths.filter((path) => /(?:^|\/)(?:test|src|bench|coverage|node_modules)\//.test(path))).toEqual([]);
  expect(packed.unpackedSize).toBeLessThan(20_000_000);
});
