/** For how long the server keeps what has expired. Whether something has expired, the caller's clock says, which may be
 *  behind the server's; only after this time is it tidied away. */
export const EXPIRED_KEPT_SECONDS = 86_400;
