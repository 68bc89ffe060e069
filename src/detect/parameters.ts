import type { Parameters } from '../store/store.js';
import type { DetectorMeta, DetectorParam } from './front-matter.js';

export type ParameterValue = number | string | boolean;

/**
 * The parameters of a detector as its SQL binds them: what is given, else the defaults.
 * @param given `detector.param` → value
 * @throws RangeError for a value outside its type or bounds
 */
export function boundParameters(meta: DetectorMeta, given: Readonly<Record<string, ParameterValue>>): Parameters {
  return Object.fromEntries(
    Object.entries(meta.params).map(([name, param]) => {
      const value = given[`${meta.id}.${name}`] ?? param.default;
      return [name, checkedParameter(`${meta.id}.${name}`, param, value)];
    }),
  );
}

function checkedParameter(name: string, param: DetectorParam, value: ParameterValue) {
  const { type, min, max } = param;
  const wanted = type === 'integer' || type === 'number' ? 'number' : type === 'text' ? 'string' : 'boolean';
  const inside = typeof value !== 'number' || (value >= (min ?? value) && value <= (max ?? value));
  if (typeof value !== wanted || !inside || (type === 'integer' && !Number.isSafeInteger(value))) {
    throw new RangeError(`parameter ${name}: ${String(value)} is no ${type} from ${min ?? '-∞'} to ${max ?? '∞'}`);
  }
  return type === 'integer' ? BigInt(value as number) : value;
}
