export {
  getMyQuoteById,
  getMyQuoteByKey,
  myQuoteExistsById,
  myQuoteExistsByKey,
  myQuoteExistsByQuery,
  queryMyQuotes,
  updateMyQuoteById,
} from '../../api/quotes/operations.js'
