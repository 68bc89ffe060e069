import type { Scenario } from '../scenario.js';
import { carriesCursor, keepsDeadSession, repeatsSilently } from './client-faults.js';
import { controlHaproxy, controlNginx } from './control.js';
import { idleEviction, killed } from './instance-loss.js';
import { readTimeoutLost, readTimeoutResumed, retriedPost } from './proxy-faults.js';
import { rollingDeployMinted, rollingDeployRefused } from './rolling-deploy.js';
import { roundRobin, scaleOut } from './scale-out.js';

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  controlNginx,
  controlHaproxy,
  rollingDeployMinted,
  rollingDeployRefused,
  scaleOut,
  roundRobin,
  killed,
  idleEviction,
  retriedPost,
  readTimeoutResumed,
  readTimeoutLost,
  repeatsSilently,
  carriesCursor,
  keepsDeadSession,
};
