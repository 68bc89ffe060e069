import type { Dialect, ReadText } from './dialect.js';
import * as end from './end-state.js';

const never = (): boolean => false;
const carries =
  (slot: Parameters<ReadText>[0]) =>
  (read: ReadText): boolean =>
    read(slot) !== null;

/** Every kind of proxy whose logs are read. */
export const DIALECTS = {
  nginx: { format: 'access-log/nginx', clientFrom: 'peer', knowsEnd: never, ending: end.nginxEnding },
  nginxJson: { format: 'access-log/nginx-json', clientFrom: 'peer', knowsEnd: never, ending: end.nginxEnding },
  json: { format: 'access-log/json', clientFrom: 'peer', knowsEnd: never, ending: end.nginxEnding },
  apache: { format: 'access-log/apache', clientFrom: 'peer', knowsEnd: never, ending: end.apacheEnding },
  haproxy: {
    format: 'access-log/haproxy',
    clientFrom: 'peer',
    knowsEnd: carries('termination'),
    ending: end.haproxyEnding,
  },
  envoy: { format: 'access-log/envoy', clientFrom: 'forwarded', knowsEnd: carries('flags'), ending: end.envoyEnding },
  envoyJson: {
    format: 'access-log/envoy-json',
    clientFrom: 'forwarded',
    knowsEnd: carries('flags'),
    ending: end.envoyEnding,
  },
  caddy: { format: 'access-log/caddy', clientFrom: 'peer', knowsEnd: never, ending: end.statusEnding },
  traefik: { format: 'access-log/traefik', clientFrom: 'peer', knowsEnd: never, ending: end.statusEnding },
  alb: { format: 'access-log/alb', clientFrom: 'peer', knowsEnd: never, ending: end.albEnding },
  cloudfront: { format: 'access-log/cloudfront', clientFrom: 'peer', knowsEnd: never, ending: end.cloudfrontEnding },
  cloudflare: { format: 'access-log/cloudflare', clientFrom: 'peer', knowsEnd: never, ending: end.cloudflareEnding },
  gcp: { format: 'access-log/gcp-lb', clientFrom: 'peer', knowsEnd: carries('details'), ending: end.gcpEnding },
  azure: { format: 'access-log/azure-appgw', clientFrom: 'peer', knowsEnd: never, ending: end.azureEnding },
  kong: { format: 'access-log/kong', clientFrom: 'peer', knowsEnd: never, ending: end.statusEnding },
} as const satisfies Readonly<Record<string, Dialect>>;
