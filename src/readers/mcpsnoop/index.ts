export { mcpsnoopFramesReader } from './frames.js';
export { mcpsnoopHarReader } from './har.js';
