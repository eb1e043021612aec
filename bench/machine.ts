import { availableParallelism, totalmem } from 'node:os';
import { arch, platform, version } from 'node:process';

/** Properties of the machine that figures depend on, without its name. */
export interface Machine {
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
}

export function thisMachine(): Machine {
  return {
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform} ${arch}`,
    node: version.slice(1),
  };
}

/** `2 cores, 24 GiB, linux x64, Node 20.20.2` */
export function describeMachine({ cores, memoryGiB, system, node }: Machine): string {
  return `${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}`;
}
