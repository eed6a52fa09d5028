using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Operations.Actions;

/// <summary>Section <c>OperatorActions</c>: how long the record of an action is kept.</summary>
internal sealed class OperatorActionOptions
{
    public const string Section = "OperatorActions";

    /// <summary>How long the record of an operator's action is kept.</summary>
    [Range(1, 3650)]
    public int RetentionDays { get; set; } = 400;
}

[OptionsValidator]
internal sealed partial class OperatorActionOptionsValidator : IValidateOptions<OperatorActionOptions>;
