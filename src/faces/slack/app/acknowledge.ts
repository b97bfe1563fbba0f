/** Bolt has a type for each form of an acknowledgement. */
// biome-ignore lint/suspicious/noExplicitAny: what is said is checked where it is made
export type Ack = (said?: any) => Promise<void>;

/** Acknowledges a request. False where Slack has its acknowledgement already, and this came too late to say anything. */
export async function acknowledge(ack: Ack, said?: object): Promise<boolean> {
  try {
    await ack(said);
    return true;
  } catch {
    return false;
  }
}
