using ApexShop.Operations;
using ApexShop.Projector.Operations.Parking;
using Microsoft.AspNetCore.Http.HttpResults;
using Npgsql;

namespace ApexShop.Projector.Operations.Rebuilding;

/// <summary>GET /admin/projection: the state of the documents in the database.</summary>
internal static class GetProjection
{
    private const string Sql = $"""
        SELECT epoch,
               ARRAY(SELECT resource FROM read.checkpoints ORDER BY resource),
               ARRAY(SELECT position FROM read.checkpoints ORDER BY resource),
               {ParkedCounts.Columns}
        FROM read.projection_state
        """;

    public static void Map(RouteGroupBuilder admin) => admin.MapGet("/projection", HandleAsync);

    private static async Task<JsonHttpResult<ProjectionStatus>> HandleAsync(
        NpgsqlDataSource database, RestoreWatch watch, CancellationToken ct)
    {
        await using var command = database.CreateCommand(Sql);
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        var positions = row.GetFieldValue<string[]>(1).Zip(row.GetFieldValue<long[]>(2)).ToDictionary();
        return TypedResults.Json(
            new ProjectionStatus(
                row.GetInt64(0), positions, row.GetInt64(3), row.GetInt64(4), row.GetInt64(5), watch.Break),
            OperationsJson.Default.ProjectionStatus);
    }
}
