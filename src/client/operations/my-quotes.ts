export {
  getMyQuoteById,
  getMyQuoteByKey,
  myQuoteExistsById,
  myQuoteExistsByKey,
  myQuoteExistsByQuery,
  queryMyQuotes,
  updateMyQuoteById,
} from '../../api/my-quotes.js'
