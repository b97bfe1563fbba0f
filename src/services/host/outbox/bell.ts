/** Ends a pause early. */
export interface Bell {
  ring(): void;
  /** Waits until it rings or the time is over; not at all where it has rung since the last pause. */
  wait(milliseconds: number): Promise<void>;
}

export function createBell(): Bell {
  let hasRung = false;
  let end = () => {};
  return {
    ring() {
      hasRung = true;
      end();
    },
    async wait(milliseconds) {
      if (!hasRung)
        await new Promise<void>((resolve) => {
          // The timer must not keep the process alive.
          const timer = setTimeout(resolve, milliseconds).unref();
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      hasRung = false;
    },
  };
}
