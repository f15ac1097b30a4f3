// In full: four times as many transactions.
import './change-feed.test.ts';
