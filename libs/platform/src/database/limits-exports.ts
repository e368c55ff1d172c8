export {
  type BucketState,
  type ChargedPoints,
  chargePoints,
  type PointsAsked,
} from './repositories/points.repository.js';
