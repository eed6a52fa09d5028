using System.Data;
using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>A transaction over the documents; whatever does not come as far as its commit is rolled back.</summary>
internal static class DocumentTransaction
{
    public static async Task<T> RunAsync<T>(
        NpgsqlDataSource database, Func<StatementBatch, NpgsqlTransaction, Task<T>> work, CancellationToken ct)
    {
        await using var connection = await database.OpenConnectionAsync(ct);
        await using var transaction = await connection.BeginTransactionAsync(ct);
        try
        {
            return await work(new StatementBatch(connection), transaction);
        }
        catch (PostgresException) when (connection.FullState == ConnectionState.Open)
        {
            await transaction.RollbackAsync(ct);
            StatementBatch.ForgetStatements(connection);
            throw;
        }
    }
}
