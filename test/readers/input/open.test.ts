import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { collect } from '../../../src/readers/input/bytes.js';
import { openInputs, type Source } from '../../../src/readers/input/open.js';

const root = mkdtempSync(join(tmpdir(), 'inputs-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folder = root;
let count = 0;
beforeEach(() => {
  count += 1;
  folder = join(root, `t${count}`);
  mkdirSync(folder);
});

const at = (...names: string[]) => join(folder, ...names);
const options = { isCapture: (head: Uint8Array) => Buffer.from(head).toString().startsWith('{"log"') };
const find = (...paths: string[]) => openInputs(paths, options);
const HAR = '{"log":{"entries":[]}}';

async function content(source: Source | undefined): Promise<string> {
  const input = await source!.open();
  try {
    return (await collect(input.chunks(), 1 << 30))!.toString();
  } finally {
    await input.close();
  }
}

describe('finding inputs', () => {
  it('walks folders in the order of their paths and says which files were named', async () => {
    mkdirSync(at('b'));
    for (const name of ['b/2.har', 'b/1.har', 'a.log', 'c.log', '.hidden']) writeFileSync(at(name), name);
    const { sources, problems } = await find(folder, at('c.log'));
    expect(sources.map((s) => [s.path.slice(folder.length + 1), s.named])).toEqual([
      ['a.log', false],
      ['b/1.har', false],
      ['b/2.har', false],
      ['c.log', false],
      ['c.log', true],
    ]);
    expect(problems).toEqual([]);
  });

  it('expands globs, and takes a name with stars literally when there is such a file', async () => {
    mkdirSync(at('x', 'y'), { recursive: true });
    for (const name of ['a1.log', 'a2.log', 'b1.log', 'x/a3.log', 'x/y/a4.log', 'a*.log']) writeFileSync(at(name), '');
    const names = async (pattern: string) =>
      (await find(at(pattern))).sources.map((s) => s.path.slice(folder.length + 1));
    expect(await names('a*.log')).toEqual(['a*.log']);
    expect(await names('a?.log')).toEqual(['a*.log', 'a1.log', 'a2.log']);
    expect(await names('**/a[1-4].log')).toEqual(['a1.log', 'a2.log', 'x/a3.log', 'x/y/a4.log']);
    expect(await names('{b,c}*.log')).toEqual(['b1.log']);
    expect(await names('[!a]1.log')).toEqual(['b1.log']);
    expect((await find(at('nothing*'))).problems[0]?.error.message).toContain('nothing matches');
  });

  it('opens regular files only, names the rest, and reads what is beside it', async () => {
    mkdirSync(at('capture', 'sub'), { recursive: true });
    writeFileSync(at('capture', 'sub', 'good.har'), HAR);
    writeFileSync(at('outside.har'), HAR);
    execFileSync('mkfifo', [at('capture', 'pipe.json')]);
    symlinkSync('pipe.json', at('capture', 'trace.json'));
    symlinkSync('.', at('capture', 'loop'));
    symlinkSync('/dev/zero', at('capture', 'zero.har'));
    symlinkSync('nowhere.har', at('capture', 'dangling.har'));
    symlinkSync('../outside.har', at('capture', 'out.har'));
    symlinkSync('self', at('capture', 'self'));
    const { sources, problems } = await find(at('capture'));
    expect(sources.map((s) => s.path)).toEqual([at('capture', 'sub', 'good.har')]);
    expect(problems.map((p) => p.path.slice(at('capture').length + 1)).sort()).toEqual([
      'dangling.har',
      'out.har',
      'pipe.json',
      'self',
      'trace.json',
      'zero.har',
    ]);
    for (const { path, error, named } of problems) {
      expect(error.message).toContain(path);
      expect(named).toBe(false);
    }
  });

  it('does not wait for the writer of a FIFO that was named', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const { problems } = await find(at('pipe'), at('missing.har'));
    expect(problems.map((p) => p.error.message)).toEqual([
      `${at('pipe')}: a FIFO, not opened`,
      `${at('missing.har')}: no such file`,
    ]);
  });

  it('follows a link that was named, because its owner asked for it', async () => {
    writeFileSync(at('real.har'), HAR);
    symlinkSync('real.har', at('link.har'));
    expect(await content((await find(at('link.har'))).sources[0])).toBe(HAR);
  });
});

describe('an open input', () => {
  it('has the digest of the bytes on disk, and its content unpacked', async () => {
    const packed = gzipSync(HAR);
    writeFileSync(at('plain.har'), packed);
    const [source] = (await find(at('plain.har'))).sources;
    expect(await source?.sha256()).toBe(createHash('sha256').update(packed).digest('hex'));
    expect(source?.bytes).toBe(packed.length);
    expect(await content(source)).toBe(HAR);
  });

  it('takes off two layers of compression', async () => {
    writeFileSync(at('twice'), gzipSync(gzipSync(HAR)));
    expect(await content((await find(at('twice'))).sources[0])).toBe(HAR);
  });

  it('reads UTF-16 as it reads UTF-8', async () => {
    writeFileSync(at('le'), Buffer.from(`\ufeff${HAR} é😀`, 'utf16le'));
    writeFileSync(at('be'), Buffer.from(`\ufeff${HAR} é😀`, 'utf16le').swap16());
    const { sources } = await find(at('le'), at('be'));
    for (const source of sources) expect(await content(source)).toBe(`${HAR} é😀`);
  });

  it('is read as long as it was when it was opened, however it grows or shrinks', async () => {
    const line = `${'x'.repeat(99)}\n`;
    writeFileSync(at('grows'), line.repeat(50_000));
    const grows = await (await find(at('grows'))).sources[0]!.open();
    appendFileSync(at('grows'), 'MORE');
    expect((await collect(grows.chunks(), 1 << 30))?.length).toBe(5_000_000);
    await grows.close();

    const shrinks = await (await find(at('grows'))).sources[0]!.open();
    truncateSync(at('grows'), 4_500_000);
    expect((await collect(shrinks.chunks(), 1 << 30))?.length).toBe(4_500_000);
    await shrinks.close();
  });

  it('gives files beside it and none from elsewhere', async () => {
    mkdirSync(at('run'));
    writeFileSync(at('loot.dat'), 'LOOT');
    writeFileSync(at('run', 'run.har'), HAR);
    writeFileSync(at('run', 'body.dat'), 'BODY');
    symlinkSync('../loot.dat', at('run', 'link.dat'));
    const input = await (await find(at('run', 'run.har'))).sources[0]!.open();
    expect(Buffer.from((await input.sibling('body.dat'))!).toString()).toBe('BODY');
    for (const name of [
      '../loot.dat',
      at('loot.dat'),
      'link.dat',
      'missing.dat',
      '.',
      '',
      'a/../../loot.dat',
      'a\0b',
    ]) {
      expect(await input.sibling(name)).toBeNull();
    }
    await input.close();
  });
});

describe('a zip archive', () => {
  const sha1 = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';

  it('with one HAR goes by its own path, and its bodies are beside the HAR', async () => {
    const archive = zipSync({ 'har.har': strToU8(HAR), [`${sha1}.dat`]: strToU8('BODY'), 'notes.txt': strToU8('hi') });
    writeFileSync(at('run.har.zip'), archive);
    const { sources, problems } = await find(at('run.har.zip'));
    expect(sources.map((s) => s.path)).toEqual([at('run.har.zip')]);
    expect(problems).toEqual([]);
    expect(await sources[0]!.sha256()).toBe(createHash('sha256').update(archive).digest('hex'));
    const input = await sources[0]!.open();
    expect(Buffer.from((await input.sibling(`${sha1}.dat`))!).toString()).toBe('BODY');
    expect(await input.sibling('../loot.dat')).toBeNull();
    await input.close();
  });

  it('with several captures gives each under its own name, archives inside opened once', async () => {
    const inner = zipSync({ 'har.har': strToU8(HAR) });
    const middle = zipSync({ 'inner.zip': inner });
    writeFileSync(
      at('all.zip'),
      zipSync({ 'a.har': strToU8(HAR), 'b/c.har.gz': gzipSync(HAR), 'd.har.zip': inner, 'deep.zip': middle }),
    );
    const { sources } = await find(at('all.zip'));
    expect(sources.map((s) => s.path.slice(folder.length + 1)).sort()).toEqual([
      'all.zip!a.har',
      'all.zip!b/c.har.gz',
      'all.zip!d.har.zip',
      'all.zip!deep.zip',
    ]);
    for (const source of sources.filter((s) => !s.path.includes('deep'))) expect(await content(source)).toBe(HAR);
  });

  it('never gives members that lead out of it, or links', async () => {
    const link = [strToU8('/etc/passwd'), { os: 3, attrs: (0o120777 << 16) >>> 0 }] as const;
    writeFileSync(
      at('evil.zip'),
      zipSync({
        '../up.har': strToU8(HAR),
        '/abs.har': strToU8(HAR),
        'C:\\x.har': strToU8(HAR),
        'ln.har': [...link],
        'ok.har': strToU8(HAR),
      }),
    );
    const { sources, problems } = await find(at('evil.zip'));
    expect(sources.map((s) => s.path)).toEqual([at('evil.zip')]);
    expect(problems.map((p) => p.path.slice(at('evil.zip').length + 1)).sort()).toEqual([
      '../up.har',
      '/abs.har',
      'C:\\x.har',
      'ln.har',
    ]);
    for (const { error, path } of problems) expect(error.message).toContain(path);
  });

  it('that is cut off, or holds nothing, is named', async () => {
    const archive = zipSync({ 'a.har': strToU8(HAR) });
    writeFileSync(at('cut.zip'), archive.subarray(0, archive.length - 10));
    writeFileSync(at('empty.zip'), zipSync({}));
    const { problems } = await find(at('cut.zip'), at('empty.zip'));
    expect(problems.map((p) => p.error.code)).toEqual(['input-unreadable', 'input-unknown-format']);
  });

  it('is found inside gzip too', async () => {
    writeFileSync(at('z.gz'), gzipSync(zipSync({ 'a.har': strToU8(HAR) })));
    expect(await content((await find(at('z.gz'))).sources[0])).toBe(HAR);
  });

  it('whose directory lies about sizes and places yields nothing, and no crash', async () => {
    const archive = Buffer.from(zipSync({ 'a.har': strToU8(HAR.repeat(20)) }));
    const central = archive.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    for (const [offset, value] of [
      [20, 0xfffffff0],
      [24, 0xfffffff0],
      [42, 0xfffffff0],
      [28, 0xfff0],
    ] as const) {
      const lying = Buffer.from(archive);
      if (offset === 28) lying.writeUInt16LE(value, central + offset);
      else lying.writeUInt32LE(value, central + offset);
      writeFileSync(at('lies.zip'), lying);
      const { sources } = await find(at('lies.zip'));
      for (const source of sources) await content(source);
    }
  });
});
