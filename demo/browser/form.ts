/** Sends the signed message on to the tool. */
document.querySelector<HTMLFormElement>('form[data-send]')?.submit();
