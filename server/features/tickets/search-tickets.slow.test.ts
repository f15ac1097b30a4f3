// In full: four times as many searches.
import './search-tickets.test.ts';
