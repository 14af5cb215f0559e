import {createContainment} from '../../source/drivers/containment/containment.ts';
import {which} from '../../source/drivers/processes/processes.ts';

/** Whether this machine can contain programs; tests that need it are skipped with the reason. */
export const canContain = await createContainment(which, []).probe();

if (!canContain.can) process.stderr.write(`SKIPPED: nothing is contained here: ${canContain.why}.\n`);
