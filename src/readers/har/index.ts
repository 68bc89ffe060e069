export { harReader } from './har-reader.js';
