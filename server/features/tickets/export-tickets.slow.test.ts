// In full: also readers that stop in the middle of thousands of rows.
import './export-tickets.test.ts';
