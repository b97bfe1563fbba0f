export interface Place {
  readonly name: string;
  /** Two-letter country code. */
  readonly country: string;
  /** Degrees. */
  readonly lat: number;
  readonly lon: number;
}

export interface Geocoder {
  /** The place an address names, or null where it is not known. */
  findPlace(address: string): Promise<Place | null>;
}
