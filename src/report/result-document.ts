/** What every renderer reads, and all that it knows. */
export * from '../incident/result-document.js';
