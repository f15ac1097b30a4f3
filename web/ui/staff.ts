import { createContext } from 'react';

/** Whether the id of a fault in the log is shown, to those who can look it up. */
export const StaffContext = createContext(false);
