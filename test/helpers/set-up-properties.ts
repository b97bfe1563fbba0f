import { configureGlobal } from 'fast-check';
import { propertyRuns } from './draw.ts';

/** Of properties that do not say how often they are tried: fast-check's number in a full run. */
configureGlobal(propertyRuns(100));
