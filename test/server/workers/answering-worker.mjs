// Answers what the other end of its channel asks.
process.on('message', ({id}) => process.send({answer: id}))
