import type { LoadChart } from '../result-document.js';

type Bucket = LoadChart['buckets'][number];

export interface Buckets {
  readonly buckets: readonly Bucket[];
  readonly bucketMs: number;
}

/** Adds neighbouring buckets up until at most `limit` are left. */
export function mergeBuckets(buckets: readonly Bucket[], bucketMs: number, limit: number): Buckets {
  const factor = Math.ceil(buckets.length / limit);
  if (factor <= 1) return { buckets, bucketMs };
  const merged: Bucket[] = [];
  for (let index = 0; index < buckets.length; index += factor) merged.push(sum(buckets.slice(index, index + factor)));
  return { buckets: merged, bucketMs: bucketMs * factor };
}

function sum(group: readonly Bucket[]): Bucket {
  const resumes = new Map<string, number>();
  for (const bucket of group) {
    for (const [verdict, count] of Object.entries(bucket.resumes)) {
      resumes.set(verdict, (resumes.get(verdict) ?? 0) + count);
    }
  }
  return {
    at: group[0]?.at ?? '',
    requests: group.reduce((total, { requests }) => total + requests, 0),
    losses: group.reduce((total, { losses }) => total + losses, 0),
    resumes: Object.fromEntries(resumes),
  };
}
