import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { markdownToHtml } from '../../src/report/html/markdown.js';
import { render } from '../../src/report/render.js';
import { cleanDocument, spliceDocument } from '../support/result.js';
import { hostileDocument, PAYLOADS } from '../support/result-hostile.js';
import {
  detectorPages,
  hugeDocument,
  idleEvictionDocument,
  rollingDeployDocument,
  unprovenDocument,
} from '../support/result-variants.js';

const pages = detectorPages();

describe('the HTML report', () => {
  it('allows its own style sheet and nothing else', async () => {
    const html = await render(spliceDocument(), 'html', { pages });
    const css = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(css).digest('base64');
    expect(html).toContain(
      `content="default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'"`,
    );
    expect(html.match(/<style/g)).toHaveLength(1);
    expect(html).not.toMatch(/<script| style="| on\w+="|<iframe|<object|<link rel="stylesheet"|url\(/);
  });

  it('refers to nothing outside but the references of the detectors', async () => {
    const html = await render(rollingDeployDocument(), 'html', { pages });
    for (const [, url = ''] of html.matchAll(/(?:href|src)="([^"#][^"]*)"/g)) {
      expect(url === 'data:,' || url.startsWith('https://modelcontextprotocol.io/')).toBe(true);
    }
  });

  it('has no id twice and no link to nowhere', async () => {
    for (const document of [spliceDocument(), rollingDeployDocument(), idleEvictionDocument(), hugeDocument(500)]) {
      const html = await render(document, 'html', { pages });
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const [, anchor = ''] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(anchor);
      for (const [, labels = ''] of html.matchAll(/aria-labelledby="([^"]+)"/g)) {
        for (const id of labels.split(' ')) expect(ids).toContain(id);
      }
    }
  });

  it('shows every finding with its evidence, its detector page, and the exact command', async () => {
    const document = spliceDocument();
    const html = await render(document, 'html', { pages });
    for (const finding of document.findings) {
      expect(html).toContain(finding.explanation);
      for (const piece of finding.evidence) expect(html).toContain(`${piece.source} ${piece.locator}`);
    }
    expect(html).toContain('How this detector judges');
    expect(html).toContain('mcp-postmortem analyze samples/rolling-deploy --out report.html');
    for (const source of document.sources) expect(html).toContain(source.sha256);
  });

  it('draws the idle-time histogram only where idle-eviction is claimed', async () => {
    expect(await render(idleEvictionDocument(), 'html')).toContain('id="idle-on-wide-t"');
    expect(await render(rollingDeployDocument(), 'html')).not.toContain('id="idle-on-wide-t"');
  });

  it('marks the deploy window and names the instances', async () => {
    const html = await render(rollingDeployDocument(), 'html');
    expect(html).toMatch(/<svg class="chart"[\s\S]*>rolling deploy<\/text>/);
    expect(html).toMatch(/<svg class="chart"[\s\S]*>10\.0\.0\.8<\/text>/);
  });

  it('never calls a run clean that could not judge everything', async () => {
    const html = await render(unprovenDocument(), 'html');
    expect(html).toContain('<p class="level">Unproven</p>');
    expect(html).toContain('broken.har');
    expect(html).toContain('out of memory');
    expect(await render(cleanDocument(), 'html')).toContain('<p class="level">Clean</p>');
  });

  it('holds ten thousand findings in less than 5 MB, written within two seconds', async () => {
    const document = hugeDocument();
    await render(spliceDocument(), 'html');
    const started = performance.now();
    const html = await render(document, 'html', { pages });
    // Twice the aim, for a machine that is busy.
    expect(performance.now() - started).toBeLessThan(4000);
    expect(Buffer.byteLength(html)).toBeLessThan(5_000_000);
    expect(html).toContain('<h2 id="findings-h">Findings <span class="count">10,000</span></h2>');
  });

  it('stays under 5 MB when every string is long', async () => {
    const payload = PAYLOADS.at(-1) ?? '';
    expect(Buffer.byteLength(await render(hostileDocument(hugeDocument(5000), payload), 'html'))).toBeLessThan(
      5_000_000,
    );
  });

  it('has tags of its own only, whatever the capture holds', async () => {
    const own = new Set(
      [...(await render(spliceDocument(), 'html', { pages })).matchAll(/<([a-z0-9]+)/gi)].map(([, tag]) => tag),
    );
    for (const payload of PAYLOADS) {
      const html = await render(hostileDocument(spliceDocument(), payload), 'html', { pages: detectorPages(payload) });
      for (const [, tag = ''] of html.matchAll(/<([a-z0-9]+)/gi))
        expect(own.has(tag) || MARKDOWN_TAGS.has(tag)).toBe(true);
      for (const [tag] of html.replace(/="[^"]*"/g, '=""').matchAll(/<[a-z][^>]*>/gi))
        expect(tag).not.toMatch(/ on\w+=|['`]/i);
      for (const [, url = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g))
        expect(url).toMatch(/^(?:#|https:|data:,$)/);
    }
  });
});

const MARKDOWN_TAGS = new Set([
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'pre',
  'code',
  'h4',
  'h5',
  'h6',
  'em',
  'strong',
]);

describe('the Markdown of a detector page', () => {
  it('becomes headings, lists, tables, code and emphasis', () => {
    expect(markdownToHtml('# A\n\ntext *b* **c** `d`\nmore\n\n- x\n  y\n- z\n\n1. one\n', 4)).toBe(
      '<h4>A</h4>\n<p>text <em>b</em> <strong>c</strong> <code>d</code> more</p>\n<ul><li>x y</li><li>z</li></ul>\n<ol><li>one</li></ol>',
    );
    expect(markdownToHtml('| a | b |\n|---|---|\n| 1 | `2` |', 4)).toContain(
      '<tr><td>1</td><td><code>2</code></td></tr>',
    );
    expect(markdownToHtml('```sql\nselect <1>\n```', 4)).toBe('<pre tabindex="0"><code>select &lt;1&gt;</code></pre>');
  });

  it('links to https only', () => {
    expect(markdownToHtml('[a](https://example.test/x)', 4)).toContain(
      'href="https://example.test/x" rel="noreferrer noopener"',
    );
    expect(markdownToHtml('[a](javascript:alert(1)) [b](http://x) <script>', 4)).not.toMatch(/<a|<script/);
  });

  it('takes hostile text in linear time', () => {
    const started = performance.now();
    for (const part of ['*', '`', '[', '[x](https://a', '**a', '|a|\n|-|\n', '- ', '#'])
      markdownToHtml(part.repeat(20_000), 4);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
