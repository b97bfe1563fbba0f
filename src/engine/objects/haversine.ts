const EARTH_RADIUS_KM = 6371.0088;
const RADIANS = Math.PI / 180;

/** Kilometres between two points given in degrees. Source: Sinnott, "Virtues of the Haversine", 1984. */
export function haversineKm(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const half =
    Math.sin(((lat2 - lat1) * RADIANS) / 2) ** 2 +
    Math.cos(lat1 * RADIANS) * Math.cos(lat2 * RADIANS) * Math.sin(((lon2 - lon1) * RADIANS) / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(half)));
}
