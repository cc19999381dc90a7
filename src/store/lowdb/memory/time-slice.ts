export {timeSlices as breather, type Yield as Breath} from '../../../time-slices.js'
