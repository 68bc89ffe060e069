import { traffic } from '../traffic.js';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** nginx's combined format with the session id at its end. */
export function* nginxText(shape) {
  for (const step of traffic(shape)) {
    const session = step.isFirst ? '-' : step.session;
    yield `${step.client} - - [${clfTime(step.atMs)}] "POST /mcp HTTP/1.1" ${step.status} ${step.bytes} "-" "node" "${session}"\n`;
  }
}

/** The recommended JSON form of `samples/proxy-config/nginx.conf`, cut to what every question needs. */
export function* nginxJson(shape) {
  for (const step of traffic(shape)) {
    const { atMs, durationMs, client, status, backend, session, isFirst } = step;
    const sent = isFirst ? '' : session;
    const answered = isFirst ? session : '';
    yield `{"msec":"${(atMs / 1000).toFixed(3)}","remote_addr":"${client}","method":"POST","uri":"/mcp","status":"${status}","rt":"${(durationMs / 1000).toFixed(3)}","upstream":"${backend}","sid":"${sent}","rsid":"${answered}"}\n`;
  }
}

function clfTime(atMs) {
  const iso = new Date(atMs).toISOString();
  return `${iso.slice(8, 10)}/${MONTHS[Number(iso.slice(5, 7)) - 1]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}
