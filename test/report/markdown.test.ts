import { describe, expect, it } from 'vitest';
import { renderMermaid } from '../../src/report/mermaid.js';
import { render } from '../../src/report/render.js';
import { cleanDocument, spliceDocument, spliceTimeline } from '../support/result.js';
import { hostileDocument, PAYLOADS } from '../support/result-hostile.js';
import { hugeDocument, rollingDeployDocument, unprovenDocument } from '../support/result-variants.js';

describe('the Markdown report', () => {
  it('tells the story, the checklist and the findings', async () => {
    const text = await render(spliceDocument(), 'md');
    expect(text).toMatch(/^\*\*CRITICAL\*\* — 1 incident, 3 findings/m);
    expect(text).toMatch(/^- \[ \] `create_issue #3` in `S1`, unknown \(`capture\.har entry 4`\)/m);
    expect(text).toMatch(/^```mermaid\nsequenceDiagram\n/m);
    expect(text).toContain('`capture.har entry 5: GET /mcp · Mcp-Session-Id S1');
  });

  it('says what was not judged and never calls that clean', async () => {
    const text = await render(unprovenDocument(), 'md');
    expect(text).toMatch(/^\*\*UNPROVEN\*\* — 0 findings/m);
    expect(text).toMatch(/^- \*\*error\*\* `misattributed-result`/m);
    expect(text).toMatch(/`broken\.har` could not be read/);
    expect(await render(cleanDocument(), 'md')).toMatch(/^\*\*CLEAN\*\* — 0 findings/m);
  });

  it('stays under 64 KB whatever the document holds, and counts what is left out', async () => {
    for (const document of [
      hugeDocument(),
      rollingDeployDocument(),
      ...PAYLOADS.map((payload) => hostileDocument(hugeDocument(60), payload)),
    ]) {
      expect(Buffer.byteLength(await render(document, 'md'))).toBeLessThan(64_000);
    }
    expect(await render(hugeDocument(), 'md')).toMatch(/more incidents: see the HTML or JSON report/);
  });

  it('holds no HTML, link, image, mention or heading of a capture', async () => {
    for (const payload of PAYLOADS) {
      const text = await render(hostileDocument(spliceDocument(), payload), 'md');
      const prose = text.replace(/^```mermaid\n[\s\S]*?\n```$/gm, '').replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '');
      expect(prose).not.toMatch(/[<>]|\]\(|https?:\/\/|@\w|^#(?!#{0,2} [A-Z])/m);
      const headings = prose.match(/^#+ .*$/gm) ?? [];
      expect(headings.map((line) => line.replace(/^### .*/, '###'))).toEqual([
        '# MCP post-mortem',
        '## What to do',
        '## Incidents',
        '###',
        '## Findings',
        '## Not judged',
        '## Sources',
      ]);
    }
  });
});

describe('the Mermaid diagram', () => {
  it('draws the seam across the two histories and the call that ran twice', () => {
    const diagram = renderMermaid(spliceTimeline()) ?? '';
    expect(diagram).toContain('Note over c,b1: SEAM · S1 spliced into S2');
    expect(diagram.match(/may have run twice/g)).toHaveLength(2);
    expect(diagram).toMatch(/b0--xc: 14#58;02#58;35/);
  });

  it('has nothing but lines of the known grammar, whatever the capture holds', () => {
    const plain = String.raw`(?:[\p{L}\p{N} .,/_=()…→·×–-]|#\d+;)+`;
    const line = new RegExp(
      String.raw`^(?:sequenceDiagram|  participant \w+ as ${plain}|  \w+(?:->>|-->>|--x)\w+: ${plain}|  Note over \w+(?:,\w+)?: ${plain}|  rect rgba\(207, 34, 46, 0\.12\)|  end)$`,
      'u',
    );
    for (const payload of PAYLOADS) {
      const [incident] = hostileDocument(spliceDocument(), payload).incidents;
      for (const text of (renderMermaid(incident?.timeline ?? []) ?? '').split('\n')) expect(text).toMatch(line);
    }
  });

  it('keeps what went wrong when a timeline is too long, and says how much is left out', () => {
    const filler = Array.from({ length: 500 }, (_, index) => ({
      ...spliceTimeline()[0]!,
      what: `POST /mcp · ping ${index} → 200`,
    }));
    const diagram = renderMermaid([...filler, ...spliceTimeline(), ...filler]) ?? '';
    expect(diagram).toContain('SEAM');
    expect(diagram).toContain('985 more entries are in the full report');
    expect(diagram.split('\n').length).toBeLessThan(90);
  });

  it('is absent without a timeline', () => {
    expect(renderMermaid([])).toBeNull();
  });
});
