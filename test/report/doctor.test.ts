import { describe, expect, it } from 'vitest';
import { checkup, renderCheckup, type SourceCheck } from '../../src/report/doctor.js';

const LOG: SourceCheck = {
  path: 'access.log',
  format: 'access-log/nginx',
  vantage: 'proxy',
  records: 10,
  exchanges: 8,
  rejected: 0,
  evidence: ['status'],
  warnings: [],
};
const HAR: SourceCheck = { ...LOG, path: 'a.har', format: 'har', evidence: ['request-headers', 'status', 'events'] };
const ERRORS: SourceCheck = {
  ...LOG,
  path: 'error.log',
  format: 'error-log/nginx',
  exchanges: 0,
  evidence: ['end-state'],
};
const QUESTIONS = [
  { id: 'status-only', title: 'Needs a status', needs: ['status'] },
  { id: 'events', title: 'Needs events', needs: ['request-headers', 'events'] },
  { id: 'ends', title: 'Needs ends', needs: ['status', 'end-state'] },
] as const;
const answers = (...sources: SourceCheck[]) => checkup(sources, QUESTIONS).answers.map(({ answer }) => answer);

describe('doctor', () => {
  it('answers what every capture carries, partly what some carry, and not what none carries', () => {
    expect(answers(LOG, HAR)).toEqual(['yes', 'partly', 'no']);
    expect(answers(LOG)).toEqual(['yes', 'no', 'no']);
  });

  it('judges an access log together with the error log beside it', () => {
    expect(answers(LOG, ERRORS)).toEqual(['yes', 'no', 'partly']);
  });

  it('answers nothing from captures without MCP traffic', () => {
    expect(answers({ ...LOG, exchanges: 0 }, ERRORS)).toEqual(['no', 'no', 'no']);
  });

  it('says what is missing and how to log it', () => {
    const text = renderCheckup(checkup([LOG], QUESTIONS));
    expect(text).toContain('needs request-headers (log the request headers Mcp-Session-Id');
    expect(text).toContain('doctor --config nginx');
    expect(text).toContain('put the error log beside the access log');
  });

  it('asks for no error log that is already there', () => {
    expect(renderCheckup(checkup([LOG, ERRORS], QUESTIONS))).not.toContain('put the error log beside');
  });

  it('makes what comes from captures inert', () => {
    const text = renderCheckup(checkup([{ ...LOG, path: 'a\u001b[2J.log', warnings: ['\u009b31m'] }], QUESTIONS));
    expect(text).not.toMatch(/[\u001b\u009b]/);
  });
});
