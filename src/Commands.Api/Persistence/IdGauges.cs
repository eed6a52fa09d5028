using System.Diagnostics.Metrics;
using ApexShop.Commands.Api.Telemetry;
using ApexShop.Resources;
using ApexShop.Telemetry;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>Shows how many of its ids each resource has used. An id is an int, and is not used again.</summary>
internal sealed class IdGauges : GaugeSampler<Dictionary<string, double>>
{
    // The last value is null until the first id is taken.
    private const string Sql =
        """
        SELECT resource, last_value / 2147483647.0::float8 FROM unnest($1, $2) AS ids (resource, sequence)
        JOIN pg_sequences ON schemaname = 'shop' AND sequencename = sequence WHERE last_value IS NOT NULL
        """;

    private readonly NpgsqlDataSource database;

    public IdGauges(
        NpgsqlDataSource database, IMeterFactory meters, IOptions<TelemetryOptions> options, TimeProvider clock,
        ILogger<IdGauges> logger)
        : base(options, clock, logger)
    {
        this.database = database;
        meters.Create(CommandsMeter.Name).CreateObservableGauge(
            "apexshop.ids.used_ratio", () => ByResource(used => used), null, "Used share of the ids of a resource.");
    }

    protected override async Task<Dictionary<string, double>> SampleAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand(Sql);
        command.Parameters.Add(new() { Value = Resource.Names.ToArray() });
        command.Parameters.Add(new() { Value = Resource.All.Select(one => $"{one.Singular}_ids").ToArray() });
        await using var rows = await command.ExecuteReaderAsync(ct);
        var used = new Dictionary<string, double>();
        while (await rows.ReadAsync(ct)) used[rows.GetString(0)] = rows.GetDouble(1);
        return used;
    }
}
