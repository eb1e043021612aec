# ucctl completion for PowerShell. Load it from $PROFILE, or let `ucctl completion install powershell` do so.
Register-ArgumentCompleter -Native -CommandName ucctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        Select-Object -Skip 1 |
        ForEach-Object { if ($_.Value -is [string]) { $_.Value } else { $_.Extent.Text } })
    $lines = @(ucctl __complete words "=$wordToComplete" @words 2>$null)
    if ($lines[0] -ne 'none') { return }
    $lines | Select-Object -Skip 1 | ForEach-Object {
        $value, $about = $_ -split "`t", 2
        if (-not $about) { $about = $value }
        $text = if ($value -match '[^\w@%+=:,./~-]') { "'" + $value.Replace("'", "''") + "'" } else { $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $about)
    }
}
