using Npgsql;

namespace ApexShop.Projector.Projecting;

/// <summary>The checkpoints as they are between transactions.</summary>
internal interface ICheckpoints
{
    /// <summary>The epoch of the read schema.</summary>
    Task<long> EpochAsync(CancellationToken ct);

    /// <summary>The highest checkpoint of all resources.</summary>
    Task<long> HighestAsync(CancellationToken ct);

    Task<long> PositionAsync(string resource, CancellationToken ct);
}

/// <summary>The checkpoints in the read schema.</summary>
internal sealed class Checkpoints(NpgsqlDataSource database) : ICheckpoints
{
    public Task<long> EpochAsync(CancellationToken ct) => ReadAsync("SELECT epoch FROM read.projection_state", ct);

    public Task<long> HighestAsync(CancellationToken ct) => ReadAsync("SELECT max(position) FROM read.checkpoints", ct);

    public Task<long> PositionAsync(string resource, CancellationToken ct) => ReadAsync(
        "SELECT position FROM read.checkpoints WHERE resource = $1",
        ct,
        new NpgsqlParameter<string> { TypedValue = resource });

    private async Task<long> ReadAsync(string sql, CancellationToken ct, params NpgsqlParameter[] parameters)
    {
        await using var command = database.CreateCommand(sql);
        command.Parameters.AddRange(parameters);
        return (long)(await command.ExecuteScalarAsync(ct))!;
    }
}
