export interface Upstream {
  readonly name: string;
  readonly port: number;
}

/** How a proxy picks the instance of a request. */
export type Balance = 'round-robin' | 'sticky';

export interface ProxySettings {
  readonly folder: string;
  readonly port: number;
  readonly balance: Balance;
  /** Every instance that will ever be behind it. */
  readonly upstreams: readonly Upstream[];
  /** Those in use at first. */
  readonly inUse: readonly Upstream[];
  /** Silence after which a stream is cut, in seconds; null: as recommended. */
  readonly readTimeoutS: number | null;
  /** Sends a POST to the next instance when the first one fails. */
  readonly retriesPosts: boolean;
}

/** A real proxy with the configuration that the product recommends; its logs lie in the folder of the run. */
export interface FrontProxy {
  readonly port: number;
  /** New connections go to these instances only; streams that are open stay where they are. */
  use(upstreams: readonly Upstream[]): Promise<void>;
  stop(): Promise<void>;
}
