/** The table of presences. */
export const presenceSchema = `
CREATE TABLE presence (
  extensionId INTEGER PRIMARY KEY, userStatus TEXT NOT NULL, dndStatus TEXT NOT NULL, callerIdVisibility TEXT NOT NULL, message TEXT, allowSeeMyPresence INTEGER NOT NULL,
  ringOnMonitoredCall INTEGER NOT NULL, pickUpCallsOnHold INTEGER NOT NULL, telephonyStatus TEXT NOT NULL, meetingStatus TEXT NOT NULL,
  chatVisibility TEXT NOT NULL, chatAvailability TEXT NOT NULL,
  sequence INTEGER NOT NULL);
`;
