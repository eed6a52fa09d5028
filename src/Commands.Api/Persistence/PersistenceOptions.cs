using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>Section <c>Persistence</c>: the sessions of the commands.</summary>
internal sealed class PersistenceOptions
{
    public const string Section = "Persistence";

    /// <summary>
    /// How long a statement waits for a lock. Shorter than a request may take: commands that wait for one row would
    /// otherwise use all connections of the pool until then. The `Command Timeout` of the connection string (30 s)
    /// limits it too.
    /// </summary>
    [Range(0.01, 600)]
    public double LockSeconds { get; set; } = 10;
}

[OptionsValidator]
internal sealed partial class PersistenceOptionsValidator : IValidateOptions<PersistenceOptions>;
