import { expect, test } from 'vitest';
import { headerMap } from '../../src/readers/captured-http.js';
import { credentialOf, principalOf } from '../../src/readers/principal.js';

const jwt = (claims: object) => `Bearer e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`;

test('a renewed token of one subject is the same principal', () => {
  const first = credentialOf(jwt({ iss: 'i', sub: 'alice', exp: 1 }));
  expect(credentialOf(jwt({ iss: 'i', sub: 'alice', exp: 2 }))).toBe(first);
  expect(credentialOf(jwt({ iss: 'i', sub: 'bob', exp: 1 }))).not.toBe(first);
  expect(credentialOf(jwt({ iss: 'j', sub: 'alice', exp: 1 }))).not.toBe(first);
});

test('other credentials are taken as they are', () => {
  for (const value of ['Bearer abc', 'Basic eHg6eQ==', jwt({ aud: 'x' }), 'Bearer a.b.c'])
    expect(credentialOf(value)).toBe(value);
});

test('cookies of balancers and the order of cookies name nobody', () => {
  const of = (cookie: string) => principalOf(headerMap([['Cookie', cookie]]));
  expect(of('sid=1; AWSALB=x; u=2')).toBe(of('u=2; sid=1; AWSALB=y'));
  expect(of('AWSALB=x')).toBe(null);
  expect(principalOf(headerMap([]))).toBe(null);
  expect(principalOf(null)).toBe(null);
});
